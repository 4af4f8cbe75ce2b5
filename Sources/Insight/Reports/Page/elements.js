// Builds the page. Names come from apps and devices, so they are only inserted as text, never as HTML.

/** Returns an element. `text` is its text, `on…` is an event listener, all else are attributes. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === 'text') made.textContent = value;
    else if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** Returns an element with a name from an app or a device, which may be in a right-to-left script. */
export function foreign(name, kind = 'bdi', attributes = {}) {
  return element(kind, {dir: 'auto', ...attributes, text: name});
}

/** Returns a name from an app or a device for use inside a text, isolated from the direction of its script. */
export const isolated = (name) => `\u2068${name}\u2069`;

/**
 * Returns a table. Columns are `{title, isNumber}`; the first is the header of its row. Cells are texts, elements,
 * or `{text, title}`. `label`: the name of the table's region, which must be unique on the page.
 */
export function table(caption, columns, rows, attributes = {}, label = caption) {
  // On a phone, the style stacks the cells of such a row, each with its title. The roles must remain those of a table.
  const isStacked = attributes.class === 'wide', role = (name) => isStacked ? {role: name} : {};
  const cell = (content, index) => {
    const column = columns[index], kind = index === 0 ? 'th' : 'td';
    const made = element(kind, {
      class: column.isNumber ? 'number' : null, scope: index === 0 ? 'row' : null,
      title: content?.title, ...role(index === 0 ? 'rowheader' : 'cell'),
      ...isStacked && index ? {'data-title': column.title} : {},
    });
    made.append(content instanceof Node ? content : content?.text ?? content ?? '');
    return made;
  };
  return element('div', {class: 'scrolls', tabindex: '0', role: 'region', 'aria-label': label},
    element('table', {...attributes, ...role('table')}, element('caption', {text: caption}),
      element('thead', role('rowgroup'), element('tr', role('row'), ...columns.map((column) => column.title
        ? element('th', {scope: 'col', class: column.isNumber ? 'number' : null, text: column.title, ...role('columnheader')})
        : element('td', role('cell'))))),
      element('tbody', role('rowgroup'), ...rows.map((cells) => element('tr', role('row'), ...cells.map(cell))))));
}

/**
 * Returns a collapsed section. `make` builds its contents when the reader first opens it, because the table of a map
 * may have thousands of rows.
 */
export function folded(title, make) {
  const details = element('details', {class: 'folded'}, element('summary', {text: title}));
  details.addEventListener('toggle', () => {
    if (details.open && details.children.length === 1) details.append(make());
  });
  return details;
}

/** Returns a choice of one among a few options, `[value, text, title]`. `name` must be unique on the page. */
export function segments(legend, name, options, chosen, change) {
  return element('fieldset', {class: 'segments'}, element('legend', {text: legend}),
    ...options.map(([value, text, title]) => element('label', {title},
      element('input', {type: 'radio', name, value, checked: value === chosen,
        onchange: () => change(value)}),
      element('span', {text}))));
}

/**
 * Returns a list to choose from, with a label. Groups are `{title, options}`, without a title or with one; options are
 * `[value, text]`.
 */
export function selection(label, groups, chosen, change, attributes = {}) {
  const option = ([value, text]) => element('option', {value, text, selected: value === chosen});
  const select = element('select', {...attributes, onchange: () => change(select.value)},
    ...groups.flatMap(({title, options}) => title
      ? [element('optgroup', {label: title}, ...options.map(option))] : options.map(option)));
  return element('label', {class: 'selection'}, element('span', {text: label}), select);
}

/** Returns the screenshot of a screen as an element; null if there is none. */
export function pictureOf({screenshot}) {
  if (!screenshot) return null;
  return element('img', {src: `data:${screenshot.type};base64,${screenshot.data}`, alt: ''});
}

/** Announces a text to screen readers, by the page's element `said` with the role `status`. */
export function say(text) { document.getElementById('said').textContent = text; }
