// Texts: in Cockpit in the language that it was set to, elsewhere in English.

const catalogue = globalThis.cockpit
  ?? {gettext: (text) => text, ngettext: (one, many, count) => count === 1 ? one : many};

/** Returns the translation of a text. scripts/cockpit-texts collects the texts that are passed to it. */
export const _ = (text) => catalogue.gettext(text);

/** Returns the parts of a translated text, with values, such as elements, in the places of `$0`, `$1`, …. */
export const pieces = (text, ...values) => text.split(/\$(\d+)/).map((part, index) => index % 2 ? values[part] ?? '' : part);

/** Fills `$0`, `$1`, … in a translated text. */
export const filled = (text, ...values) => pieces(text, ...values).join('');

/** Returns the translation of the text for a number. Without values, `$0` is the number: `2,143`. */
export const plural = (one, many, count, ...values) => filled(catalogue.ngettext(one, many, count),
  ...values.length ? values : [count.toLocaleString('en')]);
