/**
 * Resources that operators show and change over one door (adr/0032): what a room or an application
 * offers, its answers, and the check of what an operator wrote. Imports the application model only.
 */
@NullMarked
package io.lockstep.core.resource;

import org.jspecify.annotations.NullMarked;
