// Texts of the page, in the language that Cockpit was set to, and names of PatternFly's classes.

const {cockpit} = window;

/** Returns the translation of a text. scripts/cockpit-texts collects the texts that are passed to it. */
export const _ = (text) => cockpit.gettext(text);

/** Returns the translation of the text for a number. */
export const plural = (one, many, count) => cockpit.format(cockpit.ngettext(one, many, count), count);

/** Fills `$0`, `$1`, … in a translated text. */
export const filled = (text, ...values) => cockpit.format(text, ...values);

/**
 * Returns the names of a PatternFly component's class in all versions that Cockpit has shipped since 287 (4 to 6), and
 * the modifiers. `pf('button', 'primary')` is `pf-c-button pf-v5-c-button pf-v6-c-button pf-m-primary`.
 */
export function pf(component, ...modifiers) {
  return [`pf-c-${component}`, `pf-v5-c-${component}`, `pf-v6-c-${component}`,
    ...modifiers.map((modifier) => `pf-m-${modifier}`)].join(' ');
}
