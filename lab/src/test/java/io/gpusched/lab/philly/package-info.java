/// Tests of the comparison on the Philly trace.
@NullMarked
package io.gpusched.lab.philly;

import org.jspecify.annotations.NullMarked;
