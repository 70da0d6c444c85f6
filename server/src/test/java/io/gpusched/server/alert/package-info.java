/// Tests of the conditions for alerts, and of when alerts fire and resolve.
@NullMarked
package io.gpusched.server.alert;

import org.jspecify.annotations.NullMarked;
