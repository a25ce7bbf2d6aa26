/**
 * Draws curves and bars as SVG, readable without colours: a {@code Chart} of a study's points, or
 * panels that a caller arranges on a picture of its own. Knows nothing of what is measured.
 */
@NullMarked
package io.lockstep.bench.drawing;

import org.jspecify.annotations.NullMarked;
