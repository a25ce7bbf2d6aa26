package io.lockstep.core.flow;

import io.lockstep.core.mastership.SwitchScope;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import org.onosproject.net.flow.FlowRule;

/** Key of a rule in the store: the switch and onos-api's id of the rule. */
record IntentKey(long dpid, long ruleId) {

  static IntentKey of(FlowRule rule) {
    return new IntentKey(SwitchScope.dpid(rule.deviceId()), rule.id().value());
  }

  Bytes encode() {
    return new ByteWriter(16).int64(dpid).int64(ruleId).toBytes();
  }

  static IntentKey decode(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    IntentKey key = new IntentKey(in.int64(), in.int64());
    in.end();
    return key;
  }
}
