// Tells touchgrid-follow where the controls of a page are, whenever that changes, and how long after a touch of one the
// page changes near it. It runs in a world of its own, so the page's scripts cannot see it. It never reads what people
// enter or choose. `tell` is a function of a text.
(function (tell) {
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

  // How long a change is waited for after a touch, in ms, and how far away it may be, in CSS pixels.
  const LONGEST_RESPONSE = 2500, NEAR = 200;
  const MOST_TOUCHES = 8;
  const ALL_CHANGES = {subtree: true, childList: true, attributes: true, characterData: true};

  let last = null, timer = null, waitsSince = null;
  // The elements that were told, with what was told of each.
  let told = new Map();
  // The touches of controls that wait for a change: {id, item, x, y, element, url, up, changed, timer}.
  let touches = [];

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
    told = new Map();
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
        const item = {role: roleOf(element), label: labelOf(element), ...scaled(place)};
        page.items.push(item);
        told.set(element, item);
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

  /** Whether an element is near a touch. What is not seen now counts with the box that it is in. */
  function isNear(element, {x, y}) {
    for (let box = element; box; box = box.parentElement) {
      const {left, top, right, bottom} = box.getBoundingClientRect();
      if (right <= left && bottom <= top) continue;
      return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom)) <= NEAR;
    }
    return true;
  }

  /** Returns the elements that a change concerns. Of what was removed, it is the box that it was in. */
  function changedElements({type, target, addedNodes, removedNodes}) {
    const elements = type === 'childList' && !removedNodes.length ? [...addedNodes] : [target];
    return elements.map((node) => node instanceof Element ? node : node.parentElement ?? node.host)
      .filter((element) => element && !element.closest('title, meta, script'));
  }

  function tellResponse(touch, responseMs, leaves = false) {
    if (!touches.includes(touch)) return;
    if (!leaves) forget(touch);
    tell(JSON.stringify({url: touch.url, item: touch.item, agoMs: performance.now() - touch.up, responseMs, leaves}));
  }

  function forget(touch) {
    clearTimeout(touch.timer);
    touches = touches.filter((one) => one !== touch);
    if (!touches.length) changes.disconnect();
  }

  function noteChange(touch) {
    if (touch.changed) return;
    touch.changed = true;
    // It is shown with the next frame.
    if (touch.up !== null) requestAnimationFrame(() => tellResponse(touch, performance.now() - touch.up));
  }

  const changes = new MutationObserver((records) => {
    const changed = new Set(records.flatMap(changedElements));
    for (const touch of touches) {
      // In doubt something changed: that nothing did is a reproach.
      if (!touch.element.isConnected || [...changed].some((element) => isNear(element, touch))) noteChange(touch);
    }
  });

  /** Whether changes near a touch can be observed: not those of pictures that scripts draw, and of other pages. */
  function canObserve(event) {
    const target = event.composedPath()[0];
    if (!(target instanceof Element) || target.getRootNode() !== document || target.localName.includes('-')) return false;
    // The browser shows what these open.
    if (target.closest('select, input[type=file], input[type=color], input[type=date], input[type=time]')) return false;
    return ![...document.querySelectorAll('canvas, video, iframe, frame, object, embed')]
      .some((element) => isNear(element, {x: event.clientX, y: event.clientY}));
  }

  function land(event) {
    if (!event.isTrusted || touches.length === MOST_TOUCHES) return;
    const element = event.composedPath().find((one) => told.has(one));
    if (!element || !canObserve(event)) return;
    if (!touches.length) {
      changes.observe(document, ALL_CHANGES);
      for (const {shadowRoot} of document.querySelectorAll('*')) if (shadowRoot) changes.observe(shadowRoot, ALL_CHANGES);
    }
    touches.push({id: event.pointerId, item: told.get(element), x: event.clientX, y: event.clientY, element,
      url: location.href, up: null, changed: false, timer: null});
  }

  function lift(event) {
    const touch = touches.find((one) => one.id === event.pointerId && one.up === null);
    if (!touch) return;
    if (event.type === 'pointercancel') return forget(touch);
    touch.up = event.timeStamp;
    if (touch.changed) return tellResponse(touch, 0);
    touch.timer = setTimeout(() => {
      // A dialog of the browser may have stopped the page.
      if (performance.now() - touch.up > 1.5 * LONGEST_RESPONSE) forget(touch);
      else if (!touch.changed) tellResponse(touch, null);
    }, LONGEST_RESPONSE);
  }

  /** The browser shows something that is no change of an element. */
  function noteAll() { touches.forEach(noteChange); }

  addEventListener('pointerdown', land, {capture: true, passive: true});
  for (const event of ['pointerup', 'pointercancel']) addEventListener(event, lift, {capture: true, passive: true});
  // Another page is to come. This one cannot tell when.
  addEventListener('beforeunload', () => {
    for (const touch of touches) if (touch.up !== null) tellResponse(touch, null, true);
  });
  for (const event of ['hashchange', 'popstate', 'fullscreenchange', 'invalid', 'beforeprint', 'input',
    'change', 'toggle', 'play', 'pause']) {
    addEventListener(event, noteAll, {capture: true, passive: true});
  }
  addEventListener('scroll', ({target}) => {
    const box = target instanceof Element ? target : document.documentElement;
    for (const touch of touches) if (isNear(box, touch)) noteChange(touch);
  }, {capture: true, passive: true});
  addEventListener('focusin', ({target}) => {
    // Every button gets the focus; only fields show it by a caret or a keyboard.
    if (target.matches('input, textarea, [contenteditable]')) touches.forEach(noteChange);
  }, {capture: true, passive: true});

  new MutationObserver(notice).observe(document, ALL_CHANGES);
  for (const event of ['scroll', 'resize', 'load', 'transitionend', 'animationend', 'hashchange', 'popstate', 'pageshow',
    'fullscreenchange', 'toggle']) {
    addEventListener(event, notice, {capture: true, passive: true});
  }
  document.fonts?.addEventListener?.('loadingdone', notice);
  notice();
})
