/**
 * The page that shows the evaluations of the papers beside ours. Each {@code PaperSection} writes
 * the part of one paper; {@code PaperSections} lists them. Measures nothing.
 */
@NullMarked
package io.lockstep.bench.page;

import org.jspecify.annotations.NullMarked;
