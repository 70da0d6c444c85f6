/// Tests of manifests.
@NullMarked
package io.gpusched.wire.manifest;

import org.jspecify.annotations.NullMarked;
