/// Tests of explanations, previews and advice on moves.
@NullMarked
package io.gpusched.core.explain;

import org.jspecify.annotations.NullMarked;
