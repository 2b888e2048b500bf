"""The review app: look at a suite or at candidates in the browser, decide, and keep what is good."""
