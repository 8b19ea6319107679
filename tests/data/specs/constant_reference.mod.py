# Constants passed by memory reference, in a model and in one that it refers to.

m0_s0_op0 = Input("op0", ["TENSOR_FLOAT32", [1]])
m0_s0_op1 = Parameter("op1", ["TENSOR_FLOAT32", [1]], [2.0])
m0_s0_op2 = Parameter("op2", ["INT32", []], [0])
m0_s0_op3 = Output("op3", ["TENSOR_FLOAT32", [1]])
# CONSTANT_REFERENCE: m0_s0_op1, m0_s0_op2
m0_s0 = Model("constant_reference_s0")
m0_s0.IdentifyInputs(m0_s0_op0)
m0_s0.IdentifyOutputs(m0_s0_op3)
m0_s0.Operation("MUL", m0_s0_op0, m0_s0_op1, m0_s0_op2).To(m0_s0_op3)
m0_op0 = Parameter("op0", ["TENSOR_BOOL8", [1]], [False])
m0_op1 = SubgraphReference("op1", m0_s0)
m0_op2 = Input("op2", ["TENSOR_FLOAT32", [1]])
m0_op3 = Output("op3", ["TENSOR_FLOAT32", [1]])
# CONSTANT_REFERENCE: m0_op0
m0 = Model("constant_reference")
m0.IdentifyInputs(m0_op2)
m0.IdentifyOutputs(m0_op3)
m0.Operation("IF", m0_op0, m0_op1, m0_op1, m0_op2).To(m0_op3)
m0.IntroducedIn("V1_3")
Example({m0_op2: [1.5], m0_op3: [3.0]}, model=m0, name="constant_reference").DisableLifeTimeVariation()
