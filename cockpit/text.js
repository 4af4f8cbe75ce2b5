// Texts of the page, which come from the same source as those of the report, and names of PatternFly's classes.

export {_, filled, plural} from './report/text.js';

/**
 * Returns the class names of a PatternFly component and its modifiers, for all versions that Cockpit has shipped since
 * 287 (4 to 6). `pf('button', 'primary')` is `pf-c-button pf-v5-c-button pf-v6-c-button pf-m-primary`.
 */
export function pf(component, ...modifiers) {
  return [`pf-c-${component}`, `pf-v5-c-${component}`, `pf-v6-c-${component}`,
    ...modifiers.map((modifier) => `pf-m-${modifier}`)].join(' ');
}
