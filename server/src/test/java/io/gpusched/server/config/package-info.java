/// Tests of the settings.
@NullMarked
package io.gpusched.server.config;

import org.jspecify.annotations.NullMarked;
