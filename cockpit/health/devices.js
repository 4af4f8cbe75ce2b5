// The touchscreens and displays, as the daemon sees them.

import {element, foreign, selection, table} from '../report/elements.js';
import {counted, duration, points, whole} from '../report/numbers.js';
import {_, filled} from '../text.js';
import {alert, button, card} from '../widgets.js';

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
    const state = (device) => device.unheardContacts
      ? filled(_('another program has grabbed it: $0 not heard'), counted(device.unheardContacts, 'contact'))
      : device.silentForMs === undefined || device.silentForMs === null ? _('no event yet')
        : device.silentForMs ? filled(_('silent for $0'), duration(device.silentForMs)) : _('in use');
    this.list.replaceChildren(devices.length
      ? table(_('Touchscreens that are read'), [{title: _('Name')}, {title: _('Display')}, {title: _('State')},
        {title: _('Touches'), isNumber: true}, {title: _('Lost'), isNumber: true}, {title: _('Ghosts'), isNumber: true}],
      devices.map((device) => [foreign(device.name),
        element('span', {}, foreign(device.display), ` (${sources[device.displaySource] ?? device.displaySource})`), state(device),
        whole.format(device.tally.touches), whole.format(device.tally.drops), whole.format(device.tally.suspectedGhosts)]),
      {class: 'wide'})
      : element('p', {text: _('The daemon reads no touchscreen.')}),
    refused.length ? table(_('Touchscreens that are not read'), [{title: _('Name')}, {title: _('Device')}, {title: _('Why')}],
      refused.map(({name, node, reason}) => [foreign(name), foreign(node), foreign(reason)]), {class: 'wide'}) : '');
  }
}

export class DisplaysCard {
  /** `changed` is called after a display was turned. */
  constructor(daemon, changed) {
    this.daemon = daemon;
    this.changed = changed;
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
      element('p', {}, _('Shows '), foreign(screen)),
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
      this.changed();
    } catch (error) {
      this.notice.replaceChildren(alert('danger', _('The display was not turned.'), error.message));
    }
    await this.refresh();
  }
}
