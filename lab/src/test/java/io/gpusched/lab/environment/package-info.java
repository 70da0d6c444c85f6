/// Tests of the environment's protocol, its server and its Python client.
@NullMarked
package io.gpusched.lab.environment;

import org.jspecify.annotations.NullMarked;
