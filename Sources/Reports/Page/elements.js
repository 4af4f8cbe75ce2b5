// Building the page. Names come from apps and devices: they only ever become text.

/** An element. `text` becomes its text; `on…` listens; everything else is an attribute. */
function element(name, attributes = {}, ...children) {
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

/** A name that somebody else gave: it may run the other way. */
function foreign(name, kind = 'bdi', attributes = {}) {
  return element(kind, {dir: 'auto', ...attributes, text: name});
}

/**
 * A table. Columns are `{title, isNumber}`, the first names its row; cells are texts, elements, or
 * `{text, title}`.
 */
function table(caption, columns, rows, attributes = {}) {
  const cell = (content, index) => {
    const column = columns[index], kind = index === 0 ? 'th' : 'td';
    const made = element(kind, {
      class: column.isNumber ? 'number' : null, scope: index === 0 ? 'row' : null,
      title: content?.title,
    });
    made.append(content instanceof Node ? content : content?.text ?? content ?? '');
    return made;
  };
  return element('div', {class: 'scrolls', tabindex: '0', role: 'region', 'aria-label': caption},
    element('table', attributes, element('caption', {text: caption}),
      element('thead', {}, element('tr', {}, ...columns.map((column) =>
        element('th', {scope: 'col', class: column.isNumber ? 'number' : null, text: column.title})))),
      element('tbody', {}, ...rows.map((cells) => element('tr', {}, ...cells.map(cell))))));
}

/** A table that is made when somebody opens it: a map has thousands of blocks. */
function folded(title, make) {
  const details = element('details', {class: 'folded'}, element('summary', {text: title}));
  details.addEventListener('toggle', () => {
    if (details.open && details.children.length === 1) details.append(make());
  });
  return details;
}

function segments(legend, name, options, chosen, change) {
  return element('fieldset', {class: 'segments'}, element('legend', {text: legend}),
    ...options.map(([value, text, title]) => element('label', {title},
      element('input', {type: 'radio', name, value, checked: value === chosen,
        onchange: () => change(value)}),
      element('span', {text}))));
}

function selection(label, groups, chosen, change, attributes = {}) {
  const option = ([value, text]) => element('option', {value, text, selected: value === chosen});
  const select = element('select', {...attributes, onchange: () => change(select.value)},
    ...groups.flatMap(({title, options}) => title
      ? [element('optgroup', {label: title}, ...options.map(option))] : options.map(option)));
  return element('label', {class: 'selection'}, element('span', {text: label}), select);
}

/** The screenshot of a screen, where there is one. */
function pictureOf({screenshot}) {
  if (!screenshot) return null;
  return element('img', {src: `data:${screenshot.type};base64,${screenshot.data}`, alt: ''});
}

/** Tells those who listen rather than look. */
function say(text) { document.getElementById('said').textContent = text; }
