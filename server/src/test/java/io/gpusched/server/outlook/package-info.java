/// Tests of when waiting jobs are said to start.
@NullMarked
package io.gpusched.server.outlook;

import org.jspecify.annotations.NullMarked;
