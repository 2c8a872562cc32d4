// The key in a link to a class stands behind the #, where no server reads it: it leaves the address, and goes on in a
// form.
const form = /** @type {HTMLFormElement} */ (document.getElementById("arrive"));
const key = /** @type {HTMLInputElement} */ (form.elements.namedItem("k"));
key.value = new URLSearchParams(location.hash.slice(1)).get("k") ?? "";
history.replaceState(null, "", location.pathname);
form.requestSubmit();
