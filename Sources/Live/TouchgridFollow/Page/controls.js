// Tells touchgrid-follow where the controls of a page are, whenever that changes. It runs in a world of its own, so the
// page's scripts cannot see it. It never reads what people enter or choose. `tell` is a function of a text.
globalThis.touchgridControls = function (tell) {
  'use strict';
  if (window !== window.top) return;

  const MOST = 256;
  // How long the page must stay as it is before it is looked at, and how long a page that moves all the time may wait.
  const CALM = 200, LONGEST_WAIT = 1000;
  const CONTROLS = 'a[href], area[href], button, input, select, textarea, summary, label[for], [onclick], [role=button], '
    + '[role=link], [role=tab], [role=menuitem], [role=menuitemcheckbox], [role=menuitemradio], [role=checkbox], '
    + '[role=radio], [role=switch], [role=option], [role=slider], [role=textbox], [role=combobox], '
    + '[tabindex]:not([tabindex="-1"])';
  const SECRETS = ['current-password', 'new-password', 'one-time-code', 'cc-number', 'cc-csc', 'cc-exp', 'cc-exp-month',
    'cc-exp-year', 'cc-name'];

  let last = null, timer = null, waitsSince = null;

  /** Returns the scale from CSS pixels to those of the screen; null if the page does not fill the screen. */
  function scaleOfPage() {
    const {width, height} = screen, zoom = outerWidth / innerWidth;
    const fills = Math.abs(outerWidth - width) <= 1 && Math.abs(outerHeight - height) <= 1
      && Math.abs(innerHeight * zoom - outerHeight) <= 1;
    return fills && (window.visualViewport?.scale ?? 1) === 1 ? zoom : null;
  }

  function isSecret(element) {
    if (!(element instanceof HTMLInputElement)) return false;
    const words = (element.autocomplete || element.getAttribute('autocomplete') || '').toLowerCase().split(/\s+/);
    return element.type === 'password' || words.some((word) => SECRETS.includes(word))
      || /pass(word|code)|\bpin\b|cvv|cvc|card.?number|iban/i.test(`${element.name} ${element.id}`);
  }

  function roleOf(element) {
    const role = element.getAttribute('role');
    if (role) return role.slice(0, 24);
    const name = element.localName;
    if (name === 'a' || name === 'area') return 'link';
    if (name === 'select') return 'list';
    if (name === 'textarea') return 'field';
    if (name === 'summary') return 'button';
    if (name !== 'input') return name === 'button' || name === 'label' ? name : 'button';
    const kinds = {button: 'button', submit: 'button', reset: 'button', image: 'button', checkbox: 'checkbox',
      radio: 'radio', range: 'slider', file: 'button', color: 'button'};
    return kinds[element.type] ?? 'field';
  }

  /** Returns an identifier or a label: nothing that a person entered. */
  function labelOf(element) {
    const isButton = element.matches('input[type=button], input[type=submit], input[type=reset]');
    // The text of any other element may be what a person entered or chose: pages draw fields of their own.
    const isPlain = element.matches('button, a[href], summary, [role=button], [role=link], [role=tab], [role=menuitem]')
      && !element.matches('[aria-haspopup], [aria-expanded], [contenteditable], [role=option], [role=combobox]');
    const texts = [element.id, element.getAttribute('name'), element.dataset?.testid, element.getAttribute('aria-label'),
      element.labels?.[0]?.textContent, isPlain ? element.innerText : null,
      isButton ? element.getAttribute('value') : null, element.getAttribute('title'),
      element.querySelector?.('img[alt]')?.alt];
    return (texts.find((text) => text?.trim()) ?? '').trim().slice(0, 160);
  }

  /** Whether a finger can move the element by scrolling one of the boxes that contain it. */
  function scrolls(element) {
    for (let box = element; box && box !== document.documentElement; box = box.parentElement) {
      if (getComputedStyle(box).position === 'fixed') return false;
      const parent = box.parentElement;
      if (!parent || parent === document.body || parent === document.documentElement) continue;
      const style = getComputedStyle(parent);
      if (/auto|scroll/.test(style.overflowY) && parent.scrollHeight > parent.clientHeight + 1) return true;
      if (/auto|scroll/.test(style.overflowX) && parent.scrollWidth > parent.clientWidth + 1) return true;
    }
    const root = document.scrollingElement ?? document.documentElement;
    const style = getComputedStyle(document.documentElement), body = getComputedStyle(document.body ?? root);
    const isHidden = (axis) => [style, body].some((one) => /hidden|clip/.test(one[axis]));
    return root.scrollHeight > innerHeight + 1 && !isHidden('overflowY')
      || root.scrollWidth > innerWidth + 1 && !isHidden('overflowX');
  }

  /** Returns the part of an element's rectangle that is in view; null if there is none. */
  function seen(element) {
    const {left, top, right, bottom} = element.getBoundingClientRect();
    const [x, y] = [Math.max(0, left), Math.max(0, top)];
    const [width, height] = [Math.min(innerWidth, right) - x, Math.min(innerHeight, bottom) - y];
    return width >= 4 && height >= 4 ? {x, y, width, height} : null;
  }

  /** Whether a touch in the middle of a rectangle reaches the element. */
  function isOnTop(element, {x, y, width, height}) {
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    return !!top && (element.contains(top) || top.contains(element) && getComputedStyle(top).pointerEvents !== 'none'
      && top.closest(CONTROLS) === element.closest(CONTROLS));
  }

  /** Returns the rectangles of keypads: boxes of at least nine buttons with one digit each. */
  function keypads(found) {
    const boxes = new Map();
    for (const {element} of found) {
      // Keys of telephones have letters below the digit.
      if (!/^\d(\s|$)/.test((element.innerText || element.getAttribute('value') || '').trim())) continue;
      let box = element.parentElement;
      for (let level = 0; box && level < 4; level++, box = box.parentElement) {
        boxes.set(box, [...boxes.get(box) ?? [], element]);
      }
    }
    const pads = [...boxes].filter(([, keys]) => keys.length >= 9).map(([box]) => box);
    // The innermost boxes.
    return pads.filter((box) => !pads.some((other) => other !== box && box.contains(other)));
  }

  function look() {
    timer = waitsSince = null;
    const scale = scaleOfPage();
    const page = {url: location.href, width: screen.width, height: screen.height, fills: scale !== null,
      items: [], secrets: []};
    if (scale !== null && document.body) {
      const scaled = ({x, y, width, height}) =>
        ({x: x * scale, y: y * scale, width: width * scale, height: height * scale});
      const found = [...document.querySelectorAll(CONTROLS)].slice(0, 16 * MOST).flatMap((element) => {
        if (element.matches('input[type=hidden]')) return [];
        if (!element.checkVisibility?.({opacityProperty: true, visibilityProperty: true})) return [];
        const place = seen(element);
        return place ? [{element, place}] : [];
      });
      const pads = keypads(found);
      page.secrets = [...pads.map(seen), ...found.filter(({element}) => isSecret(element)).map(({place}) => place)]
        .filter((place) => place).map(scaled);
      for (const {element, place} of found) {
        if (page.items.length === MOST) break;
        if (element.disabled || isSecret(element) || pads.some((pad) => pad.contains(element))) continue;
        if (scrolls(element) || !isOnTop(element, place)) continue;
        page.items.push({role: roleOf(element), label: labelOf(element), ...scaled(place)});
      }
    }
    const text = JSON.stringify(page);
    if (text === last) return;
    last = text;
    tell(text);
  }

  function notice() {
    const now = performance.now();
    waitsSince ??= now;
    clearTimeout(timer);
    timer = setTimeout(look, Math.max(0, Math.min(CALM, waitsSince + LONGEST_WAIT - now)));
  }

  new MutationObserver(notice).observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
  for (const event of ['scroll', 'resize', 'load', 'transitionend', 'animationend', 'hashchange', 'popstate', 'pageshow',
    'fullscreenchange', 'toggle']) {
    addEventListener(event, notice, {capture: true, passive: true});
  }
  document.fonts?.addEventListener?.('loadingdone', notice);
  notice();
};
