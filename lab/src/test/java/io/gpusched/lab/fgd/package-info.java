/// Tests of the experiment against a plain re-telling of its published rules.
@NullMarked
package io.gpusched.lab.fgd;

import org.jspecify.annotations.NullMarked;
