/// Tests of the admission of workloads, against an API server in this process.
@NullMarked
package io.gpusched.operator.admission;

import org.jspecify.annotations.NullMarked;
