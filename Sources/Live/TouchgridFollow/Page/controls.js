// Reports the positions of a page's controls to touchgrid-follow whenever they change, and the delay from a touch of a
// control to a change of the page. It runs in an isolated world, so the page's scripts cannot see it. It never reads
// values that people enter or choose. `tell` and `tellResponse` are functions that take a text.
globalThis.touchgridControls = function (tell, tellResponse) {
  'use strict';
  if (window !== window.top) return;

  const MOST = 256;
  // The time in ms without changes after which a page is examined, and the longest wait if the page changes all the
  // time.
  const CALM = 200, LONGEST_WAIT = 1000;
  const CONTROLS = 'a[href], area[href], button, input, select, textarea, summary, label[for], [onclick], [role=button], '
    + '[role=link], [role=tab], [role=menuitem], [role=menuitemcheckbox], [role=menuitemradio], [role=checkbox], '
    + '[role=radio], [role=switch], [role=option], [role=slider], [role=textbox], [role=combobox], '
    + '[tabindex]:not([tabindex="-1"])';
  const SECRETS = ['current-password', 'new-password', 'one-time-code', 'cc-number', 'cc-csc', 'cc-exp', 'cc-exp-month',
    'cc-exp-year', 'cc-name'];

  const ALL_CHANGES = {subtree: true, childList: true, attributes: true, characterData: true};

  let last = null, timer = null, waitsSince = null;
  // The elements that were reported, with their reports.
  let told = new Map();

  /** Returns the scale from CSS pixels to pixels of the screen; null if the page does not fill the screen. */
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

  /** Returns an identifier or a label, but never a text that a person entered. */
  function labelOf(element) {
    const isButton = element.matches('input[type=button], input[type=submit], input[type=reset]');
    // Do not use the text of other elements: in custom fields it may be a text that a person entered or chose.
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

  /** Returns the visible part of an element's rectangle; null if there is none. */
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
      // The keys of telephones have letters below the digit.
      if (!/^\d(\s|$)/.test((element.innerText || element.getAttribute('value') || '').trim())) continue;
      let box = element.parentElement;
      for (let level = 0; box && level < 4; level++, box = box.parentElement) {
        boxes.set(box, [...boxes.get(box) ?? [], element]);
      }
    }
    const pads = [...boxes].filter(([, keys]) => keys.length >= 9).map(([box]) => box);
    // Keep only the innermost boxes.
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
    observeRoots(document);
    const text = JSON.stringify(page);
    if (text === last) return;
    last = text;
    tell(text);
  }

  /** Observes changes in the shadow trees of the page as well. Observing a tree again has no effect. */
  function observeRoots(root) {
    for (const {shadowRoot} of root.querySelectorAll('*')) {
      if (!shadowRoot) continue;
      observer.observe(shadowRoot, ALL_CHANGES);
      observeRoots(shadowRoot);
    }
  }

  function notice() {
    const now = performance.now();
    waitsSince ??= now;
    clearTimeout(timer);
    timer = setTimeout(look, Math.max(0, Math.min(CALM, waitsSince + LONGEST_WAIT - now)));
  }

  // ---- Responses to touches

  // The longest wait for a change after a touch, and the longest time that a page may be stopped meanwhile, in ms.
  const LONGEST_RESPONSE = 2500, LONGEST_STOP = 750;
  // The distance from a touch within which a change is near, in CSS pixels; and the time for which an element that
  // changed by itself counts as restless, in ms.
  const NEAR = 200, RESTLESS = 10000;
  // The maximum number of changed elements that are examined at a time.
  const MOST_CHANGES = 100;
  const FIELDS = 'textarea, [contenteditable], input:not([type=button], [type=submit], [type=reset], [type=image], '
    + '[type=checkbox], [type=radio], [type=range])';

  // The last touch, while it waits for a change: {id, item, x, y, element, url, up, changed, ticked, stopped, leaves,
  // timer}; otherwise null. Earlier touches no longer wait, because a later touch may have caused the change.
  let touch = null;
  // The times at which elements last changed long after any touch, and the time of the last touch-down.
  const restless = new WeakMap();
  let landed = -Infinity;

  function isEmpty({left, top, right, bottom}) { return right <= left && bottom <= top; }

  function isNear({left, top, right, bottom}, {x, y}) {
    return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom)) <= NEAR;
  }

  /** Returns the elements that a change concerns. For removed elements, returns the box that contained them. */
  function changedElements({type, target, addedNodes, removedNodes}) {
    const nodes = type === 'childList' && !removedNodes.length ? [...addedNodes] : [target];
    return nodes.map((node) => node instanceof Element ? node : node.parentElement ?? node.host)
      .filter((element) => element && !element.closest('title, meta, script'));
  }

  /** Whether a change may be the response to the touch: near it, or of an element that is not restless. If in doubt,
      it is, because a missing response counts against the page. */
  function mayRespond(element, now) {
    if (!element.isConnected || !(now - restless.get(element) < RESTLESS)) return true;
    for (let box = element; box; box = box.parentElement) {
      // An invisible element is represented by the box that contains it.
      const place = box.getBoundingClientRect();
      if (!isEmpty(place)) return isNear(place, touch);
    }
    return true;
  }

  function changed(records) {
    const now = performance.now();
    if (!touch) {
      if (now - landed < LONGEST_RESPONSE) return;
      for (const record of records) for (const element of changedElements(record)) restless.set(element, now);
    } else if (!touch.changed) {
      const elements = new Set(records.flatMap(changedElements));
      if (elements.size > MOST_CHANGES || [...elements].some((element) => mayRespond(element, now))) noteChange();
    }
  }

  function forget() {
    clearTimeout(touch?.timer);
    touch = null;
  }

  function report(responseMs, leaves = false) {
    const {url, item, up} = touch;
    if (!leaves) forget();
    tellResponse(JSON.stringify({url, item, agoMs: performance.now() - up, responseMs, leaves}));
  }

  /** Records a change. It becomes visible with the next frame. */
  function noteChange() {
    const own = touch;
    if (!own || own.changed) return;
    own.changed = true;
    if (own.up !== null) requestAnimationFrame(() => { if (touch === own) report(performance.now() - own.up); });
  }

  /** Whether changes after a touch can be observed. That is not possible for fields, pictures that scripts draw,
      other pages, and parts of the browser itself. */
  function canObserve(event) {
    const target = event.composedPath()[0];
    if (!(target instanceof Element) || target.getRootNode() !== document || target.localName.includes('-')) return false;
    if (target.closest(`select, a[download], ${FIELDS}`)) return false;
    const place = {x: event.clientX, y: event.clientY};
    return ![...document.querySelectorAll('canvas, video, iframe, frame, object, embed')].some((element) => {
      const box = element.getBoundingClientRect();
      return !isEmpty(box) && isNear(box, place);
    });
  }

  function land(event) {
    if (!event.isTrusted) return;
    forget();
    landed = performance.now();
    const element = event.composedPath().find((one) => told.has(one));
    if (!element || !canObserve(event)) return;
    touch = {id: event.pointerId, item: told.get(element), x: event.clientX, y: event.clientY, element,
      url: location.href, up: null, changed: false, ticked: performance.now(), stopped: false, leaves: false, timer: null};
    tick();
  }

  /** Whether the page has a visible field. A script that fills a field changes no element, and the contents of
      fields must not be read. */
  function hasField() {
    return [...document.querySelectorAll(FIELDS)].some((field) => !isEmpty(field.getBoundingClientRect()));
  }

  /** Detects that the page was stopped, for example by a dialog of the browser, and the end of the wait. */
  function tick() {
    const now = performance.now();
    touch.stopped ||= now - touch.ticked > LONGEST_STOP;
    touch.ticked = now;
    if (touch.up === null || now - touch.up < LONGEST_RESPONSE) {
      touch.timer = setTimeout(tick, 250);
    } else if (!touch.changed) {
      if (touch.stopped || touch.leaves || hasField()) forget();
      else report(null);
    }
  }

  function lift(event) {
    if (touch?.id !== event.pointerId || touch.up !== null) return;
    if (event.type === 'pointercancel') return forget();
    touch.up = event.timeStamp;
    if (touch.changed) report(0);
  }

  addEventListener('pointerdown', land, {capture: true, passive: true});
  for (const event of ['pointerup', 'pointercancel']) addEventListener(event, lift, {capture: true, passive: true});
  // This page is about to be replaced, and cannot report the time at which the next one appears.
  addEventListener('beforeunload', () => {
    if (!touch || touch.up === null || touch.changed) return;
    touch.leaves = true;
    report(null, true);
  });
  // Events at which the browser changes the picture without a change of an element.
  for (const event of ['hashchange', 'popstate', 'fullscreenchange', 'invalid', 'beforeprint', 'input', 'change',
    'toggle', 'play', 'pause', 'scroll']) {
    addEventListener(event, noteChange, {capture: true, passive: true});
  }
  // Ignore the focus of buttons, which is normal. Fields show their focus, by a caret or a keyboard.
  addEventListener('focusin', ({target}) => { if (target.matches(FIELDS)) noteChange(); }, {capture: true, passive: true});

  const observer = new MutationObserver((records) => {
    changed(records);
    notice();
  });
  observer.observe(document, ALL_CHANGES);
  for (const event of ['scroll', 'resize', 'load', 'transitionend', 'animationend', 'hashchange', 'popstate', 'pageshow',
    'fullscreenchange', 'toggle']) {
    addEventListener(event, notice, {capture: true, passive: true});
  }
  document.fonts?.addEventListener?.('loadingdone', notice);
  notice();
};
