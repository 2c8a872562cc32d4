// Plural forms in a script: a template hands over both (`forms`, from the .po files), and the page's language chooses
// as gettext would.
const rules = new Intl.PluralRules(document.documentElement.lang);

/**
 * @param {string[]} forms for one and for several, with {count}
 * @param {number} count
 */
export const plural = ([one = "", several = ""], count) =>
  (rules.select(count) === "one" ? one : several).replace("{count}", String(count));
