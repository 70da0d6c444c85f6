/// Tests of the training of learned queue orders.
@NullMarked
package io.gpusched.lab.order;

import org.jspecify.annotations.NullMarked;
