/// Tests of the codec. [io.gpusched.wire.codec.RandomFacts] makes values of every kind of record.
@NullMarked
package io.gpusched.wire.codec;

import org.jspecify.annotations.NullMarked;
