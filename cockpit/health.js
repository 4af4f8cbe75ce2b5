// Placeholder until the view is written.

import {element} from './report/elements.js';

export class Health {
  constructor(daemon) {
    this.daemon = daemon;
    this.element = element('section', {});
  }
  show() {}
  hide() {}
  refresh() {}
}
