/** Light or dark: as the system says, unless the visitor chooses. */

const root = document.documentElement;
const button = document.getElementById('theme');

button.addEventListener('click', () => {
  root.dataset.theme = isDark() ? 'light' : 'dark';
  say();
});
say();

function isDark() {
  return (root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
}

function say() {
  button.setAttribute('aria-pressed', String(isDark()));
}
