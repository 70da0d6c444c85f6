/// Tests of jobs that run as pods, against an API server.
@NullMarked
package io.gpusched.operator.jobs;

import org.jspecify.annotations.NullMarked;
