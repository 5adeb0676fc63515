export const elysiajsTheme = '';
