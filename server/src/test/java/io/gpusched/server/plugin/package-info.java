/// Tests of plug-ins, with jars that the tests make.
@NullMarked
package io.gpusched.server.plugin;

import org.jspecify.annotations.NullMarked;
