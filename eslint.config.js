// The rules for the scripts of the pages; `npm run lint`.

import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["**/*.min.js"] },
  js.configs.recommended,
  {
    files: ["server/web/static/**/*.js"],
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: globals.browser },
    rules: {
      "max-lines": ["error", { max: 250 }],
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-var": "error",
      "prefer-const": "error",
      "no-implicit-globals": "error",
      "no-eval": "error",
      "no-unused-vars": ["error", { args: "after-used" }],
    },
  },
  {
    files: ["tests/scripts/**/*.js"],
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: globals.node },
  },
];
