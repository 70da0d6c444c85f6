/// Tests of `auth`.
@NullMarked
package io.gpusched.server.auth;

import org.jspecify.annotations.NullMarked;
