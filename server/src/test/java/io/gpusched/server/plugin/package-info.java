/// Tests of plug-ins, with jars made for the occasion.
@NullMarked
package io.gpusched.server.plugin;

import org.jspecify.annotations.NullMarked;
