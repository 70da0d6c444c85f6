/// Tests of what all listening ports share.
@NullMarked
package io.gpusched.server.net;

import org.jspecify.annotations.NullMarked;
