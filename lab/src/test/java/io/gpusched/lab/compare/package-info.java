/// How runs of a comparison are told apart.
@NullMarked
package io.gpusched.lab.compare;

import org.jspecify.annotations.NullMarked;
