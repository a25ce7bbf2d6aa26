package io.lockstep.dataplane.openflow;

/** A controller's role towards one switch (OpenFlow 1.3.5 section 6.3, Multiple Controllers). */
public enum ControllerRole {
  EQUAL,
  MASTER,
  SLAVE
}
