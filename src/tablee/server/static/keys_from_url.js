// Before anything is painted: the keys of our seats leave the address for a cookie of this table's page, so that it is
// drawn for us the next time too; a page that was drawn without them waits until its seat is drawn.
(() => {
  const [address, root] = [new URL(location.href), document.documentElement];
  const table = address.pathname.match(/^\/t\/([^/]+)$/)?.[1];
  /** @type {Record<string, { keys: string, hidden?: boolean }>} */
  const device = JSON.parse(localStorage.getItem("tablee-tables") ?? "{}");
  if (!table) {
    // the start page keeps room for them, and for classes
    const classes = Object.keys(localStorage).filter((name) => /^tablee-(organiser|member)-/.test(name));
    root.dataset.mine = String(Object.values(device).filter((each) => !each.hidden).length);
    root.dataset.classes = String(classes.length);
    return;
  }
  const [query, hash] = [address.searchParams.get("k"), new URLSearchParams(address.hash.slice(1)).get("k")];
  const drawn = query ?? document.cookie.match(/(?:^|; )tablee_keys=([^;]*)/)?.[1]; // whom the server drew the page for
  const given = hash ?? query;
  if (given) sessionStorage.setItem(`tablee-keys-${table}`, given);
  const keys = sessionStorage.getItem(`tablee-keys-${table}`) ?? device[table]?.keys;
  address.searchParams.delete("k");
  if (given) history.replaceState(null, "", address.pathname + address.search);
  if (keys)
    document.cookie =
      `tablee_keys=${keys}; path=/t/${table}; max-age=31536000; SameSite=Strict` +
      (location.protocol === "https:" ? "; Secure" : "");
  if (keys && drawn !== keys) {
    root.dataset.seat = "awaited";
    setTimeout(() => {
      delete root.dataset.seat;
    }, 3000);
  }
})();
