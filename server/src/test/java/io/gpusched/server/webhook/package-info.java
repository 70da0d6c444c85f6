/// Tests of the delivery of alerts, against a real HTTP server.
@NullMarked
package io.gpusched.server.webhook;

import org.jspecify.annotations.NullMarked;
