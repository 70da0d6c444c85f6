/// Tests of the tables of batch logs.
@NullMarked
package io.gpusched.lab.swf;

import org.jspecify.annotations.NullMarked;
