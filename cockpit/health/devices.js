// The touchscreens and displays, as the daemon sees them.

import {element, foreign, selection} from '../report/elements.js';
import {duration, points, whole} from '../report/numbers.js';
import {_, filled, plural} from '../text.js';
import {alert, button, card, pairs} from '../widgets.js';

const sources = {configuration: _('configuration'), udev: _('udev'), kernel: _('driver'), WL_OUTPUT: _('udev'),
  drm: _('graphics driver'), client: _('a program'), guess: _('a guess')};

export class DevicesCard {
  constructor(daemon) {
    this.daemon = daemon;
    this.list = element('div');
    this.element = card(_('Touchscreens'), this.list);
  }

  async refresh() {
    const {devices, refused} = await this.daemon.call('GetDevices');
    this.list.replaceChildren(
      ...devices.map(deviceSection), ...refused.map(refusedSection),
      devices.length ? '' : element('p', {text: _('The daemon reads no touchscreen.')}));
  }
}

function deviceSection({name, node, display, displaySource, tally, ...device}) {
  return element('section', {class: 'device', 'aria-label': name}, foreign(name, 'h3'),
    device.unheardContacts ? alert('warning', _('Another program has grabbed it.'),
      plural('The daemon does not hear $0 contact that is down.', 'The daemon does not hear $0 contacts that are down.',
        device.unheardContacts) + `\n${_('"sudo touchgrid doctor" names that program.')}`) : null,
    pairs([_('Display'), element('span', {}, foreign(display), ` (${sources[displaySource] ?? displaySource})`)],
      [_('Device'), node ?? _('a recording')],
      [_('Contacts'), filled(_('$0 down, at most $1'), device.touchesDown, device.slots)],
      [_('Touches'), whole.format(tally.touches)],
      [_('Suspected ghosts'), whole.format(tally.suspectedGhosts)],
      [_('Events lost'), plural('$0 time', '$0 times', tally.drops)],
      // The time is rounded to whole minutes.
      [_('Last event'), device.silentForMs ? filled(_('$0 ago'), duration(device.silentForMs))
        : device.silentForMs === 0 || tally.touches ? _('less than a minute ago') : _('none yet')]));
}

function refusedSection({name, node, reason}) {
  return element('section', {class: 'device', 'aria-label': name}, foreign(name, 'h3'),
    alert('warning', _('It is not read.'), element('p', {dir: 'auto', text: reason})), pairs([_('Device'), node]));
}

export class DisplaysCard {
  constructor(daemon) {
    this.daemon = daemon;
    this.list = element('div', {class: 'displays'});
    this.notice = element('div', {class: 'notices', role: 'status'});
    this.element = card(_('Displays'), this.notice, this.list,
      element('p', {class: 'quiet', text: _('A turn holds until the daemon stops. To keep it, write it into [[display]] of the '
        + 'configuration.')}));
  }

  async refresh() {
    const {displays} = await this.daemon.call('GetDisplays');
    const focused = this.list.contains(document.activeElement) ? document.activeElement.id : null;
    this.list.replaceChildren(...displays.map((display, number) => this.display(display, number)));
    if (!displays.length) this.list.replaceChildren(element('p', {text: _('No touchscreen lies on a display.')}));
    if (focused) document.getElementById(focused)?.focus();
  }

  display({name, geometry, geometrySource, screen}, number) {
    const shape = element('div', {class: 'shape', 'aria-hidden': 'true'});
    shape.style.aspectRatio = `${geometry.width} / ${geometry.height}`;
    return element('section', {class: 'display', 'aria-label': name}, shape, element('div', {},
      foreign(name, 'h3'),
      element('p', {text: filled(_('$0 × $1 pixels, scale $2, from $3'), geometry.pixelWidth, geometry.pixelHeight,
        geometry.scale, sources[geometrySource] ?? geometrySource)}),
      element('p', {text: filled(_('$0 × $1 points, $2 × $3 blocks'), points(geometry.width), points(geometry.height),
        geometry.columns, geometry.rows)}),
      pairs([_('Screen'), foreign(screen)]),
      element('div', {class: 'buttons'},
        selection(_('Turned by'), [{options: [0, 90, 180, 270].map((angle) => [String(angle), `${angle}°`])}],
          String(geometry.rotation), (value) => this.turn(name, {rotation: Number(value)}),
          {id: `turn-${number}`, class: 'turn'}),
        button(_('Undo'), 'secondary', () => this.turn(name, {}), {id: `undo-${number}`, 'data-action': 'undo-turn'}))));
  }

  async turn(name, change) {
    try {
      await this.daemon.call('SetDisplay', {name, ...change});
      this.notice.replaceChildren();
    } catch (error) {
      this.notice.replaceChildren(alert('danger', _('The display was not turned.'), error.message));
    }
    await this.refresh();
  }
}
