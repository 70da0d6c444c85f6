/// Tests of the web page in a real browser.
@NullMarked
package io.gpusched.demo.browser;

import org.jspecify.annotations.NullMarked;
