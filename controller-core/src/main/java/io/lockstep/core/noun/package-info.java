/**
 * Answers the nouns of applications (adr/0018) and offers their resources (adr/0032): checks what
 * was asked, reads the store or submits a change, and calls the application on a thread beside the
 * node's own work, within bounds of time and size. Imports the application model, the door of
 * {@code resource}, and the count of failures of {@code packet}.
 */
@NullMarked
package io.lockstep.core.noun;

import org.jspecify.annotations.NullMarked;
