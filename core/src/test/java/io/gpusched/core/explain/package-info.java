/// What users are told about why a job waits and what would let it start.
@NullMarked
package io.gpusched.core.explain;

import org.jspecify.annotations.NullMarked;
