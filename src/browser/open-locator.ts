/** Opens sources by their locators in a web worker. */
import { locatorOpener } from '../engine/locator.ts';

export const openBrowserLocator = locatorOpener({});
