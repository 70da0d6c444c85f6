/// Tests of the cell: whole paths of jobs.
@NullMarked
package io.gpusched.core.cell;

import org.jspecify.annotations.NullMarked;
