// The table of the masks and controls of a screen.

import {element, foreign, table} from '../report/elements.js';
import {_, filled} from '../text.js';
import {button} from '../widgets.js';
import {placeWords} from './rectangle.js';

const kinds = {mask: _('Mask'), control: _('Control')};
const origins = {configured: _('configuration'), added: _('until the daemon stops'), widened: _('the daemon, in doubt'),
  pending: _('this page only, not saved yet'), proposed: _('proposed: people tap there')};

export class AreaList {
  /** `edit` and `remove` are called with the area whose button was pressed. */
  constructor({edit, remove}) {
    Object.assign(this, {edit, remove});
    this.element = element('div', {class: 'area-table'});
  }

  show(screen, areas) {
    const rows = areas.map((area) => [kinds[area.kind], area.name ? foreign(area.name) : area.label ?? '', placeWords(area.rectangle),
      area.display === null ? _('all') : area.isAway ? element('span', {}, foreign(area.display), ' ', _('(not there)'))
        : foreign(area.display), origins[area.origin], this.buttons(area)]);
    const title = element('h3', {tabindex: '-1'}, _('On screen '), foreign(screen));
    const focused = this.buttonsNow().indexOf(document.activeElement);
    this.element.replaceChildren(title, rows.length
      ? table(_('Masks and controls'), [{title: _('Kind')}, {title: _('Name')}, {title: _('Place, in points')},
        {title: _('Display')}, {title: _('From')}, {title: _('Change')}], rows, {class: 'wide'},
      _('Masks and controls of the screen'))
      : element('p', {text: _('This screen has no masks and no controls.')}));
    // The pressed button may no longer exist.
    if (focused >= 0) (this.buttonsNow().at(Math.min(focused, this.buttonsNow().length - 1)) ?? title).focus();
  }

  buttonsNow() { return [...this.element.querySelectorAll('button')]; }

  buttons(area) {
    const made = element('span', {class: 'buttons'});
    // The daemon removes widened masks by itself once it knows the display.
    if (area.origin === 'widened') return made;
    // The geometry of a display that is not connected is unknown.
    const isHere = !area.isAway, name = area.name ?? area.label ?? filled(_('the mask $0'), placeWords(area.rectangle));
    const [change, changeIt, remove, removeIt] = area.origin === 'proposed'
      ? [_('Use'), _('Use $0'), _('Drop'), _('Drop $0')] : [_('Change'), _('Change $0'), _('Remove'), _('Remove $0')];
    if (isHere) {
      made.append(button(change, 'link', () => this.edit(area), {'data-action': 'change-area',
        'aria-label': filled(changeIt, name)}));
    }
    made.append(button(remove, 'link', () => this.remove(area), {'data-action': 'remove-area',
      'aria-label': filled(removeIt, name)}));
    return made;
  }
}
