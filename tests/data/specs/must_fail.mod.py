# A model that no device may accept, so no version supports it: the shapes do not broadcast.

m0_op0 = Input("op0", ["TENSOR_FLOAT32", [2]])
m0_op1 = Input("op1", ["TENSOR_FLOAT32", [3]])
m0_op2 = Parameter("op2", ["INT32", []], [0])
m0_op3 = Output("op3", ["TENSOR_FLOAT32", [3]])
m0 = Model("must_fail")
m0.IdentifyInputs(m0_op0, m0_op1)
m0.IdentifyOutputs(m0_op3)
m0.Operation("ADD", m0_op0, m0_op1, m0_op2).To(m0_op3)
Example({m0_op0: [1.0, 2.0], m0_op1: [3.0, 4.0, 5.0], m0_op3: [0.0, 0.0, 0.0]}, model=m0, name="must_fail").DisableLifeTimeVariation().ExpectFailure()
