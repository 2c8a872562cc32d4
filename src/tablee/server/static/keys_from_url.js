// Before the first paint, this moves the keys of this screen's seats from the URL into a cookie of the table's page, so
// that the next request is rendered for them; a page that was rendered without them stays hidden until its own view has
// come.
(() => {
  const [address, root] = [new URL(location.href), document.documentElement];
  const table = address.pathname.match(/^\/t\/([^/]+)$/)?.[1];
  /** @type {Record<string, { keys: string, hidden?: boolean }>} */
  const device = JSON.parse(localStorage.getItem("tablee-tables") ?? "{}");
  if (!table) {
    // the start page reserves space for the lists of tables and classes
    const classes = Object.keys(localStorage).filter((name) => /^tablee-(organiser|member)-/.test(name));
    root.dataset.mine = String(Object.values(device).filter((each) => !each.hidden).length);
    root.dataset.classes = String(classes.length);
    return;
  }
  const [query, hash] = [address.searchParams.get("k"), new URLSearchParams(address.hash.slice(1)).get("k")];
  const rendered = query ?? document.cookie.match(/(?:^|; )tablee_keys=([^;]*)/)?.[1]; // the keys it was rendered for
  const given = hash ?? query;
  if (given) sessionStorage.setItem(`tablee-keys-${table}`, given);
  const keys = sessionStorage.getItem(`tablee-keys-${table}`) ?? device[table]?.keys;
  address.searchParams.delete("k");
  if (given) history.replaceState(null, "", address.pathname + address.search);
  if (keys)
    document.cookie =
      `tablee_keys=${keys}; path=/t/${table}; max-age=31536000; SameSite=Strict` +
      (location.protocol === "https:" ? "; Secure" : "");
  if (keys && rendered !== keys) {
    root.dataset.seat = "awaited";
    setTimeout(() => {
      delete root.dataset.seat;
    }, 3000);
  }
})();
