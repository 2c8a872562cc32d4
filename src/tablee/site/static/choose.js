// The language of the site: the one that was read last on this device, else the browser's.
(() => {
  const [known, kept] = [["fr", "en", "it"], localStorage.getItem("tablee-site-language") ?? ""];
  const wanted = [kept, ...navigator.languages.map((each) => each.slice(0, 2))];
  location.replace(`${wanted.find((each) => known.includes(each)) ?? "en"}/index.html`);
})();
