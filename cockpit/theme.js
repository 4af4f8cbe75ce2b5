// Follows Cockpit's choice of a light or dark page.

const classes = ['pf-theme-dark', 'pf-v5-theme-dark', 'pf-v6-theme-dark'];
const dark = window.matchMedia('(prefers-color-scheme: dark)');

function apply(style = localStorage.getItem('shell:style') ?? 'auto') {
  const isDark = style === 'dark' || (style !== 'light' && dark.matches);
  for (const name of classes) document.documentElement.classList.toggle(name, isDark);
  document.documentElement.style.colorScheme = isDark ? 'dark' : 'light';
}

/** Applies the current style, and follows later choices in Cockpit's menu, in any window. */
export function followTheme() {
  window.addEventListener('storage', ({key}) => { if (key === 'shell:style') apply(); });
  window.addEventListener('cockpit-style', ({detail}) => apply(detail?.style));
  dark.addEventListener('change', () => apply());
  apply();
}
