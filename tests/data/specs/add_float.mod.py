# The smallest complete file: one operation, its fused activation a constant.

m0_op0 = Input("op0", ["TENSOR_FLOAT32", [2]])
m0_op1 = Input("op1", ["TENSOR_FLOAT32", [2]])
m0_op2 = Parameter("op2", ["INT32", []], [0])
m0_op3 = Output("op3", ["TENSOR_FLOAT32", [2]])
m0 = Model("add_float")
m0.IdentifyInputs(m0_op0, m0_op1)
m0.IdentifyOutputs(m0_op3)
m0.Operation("ADD", m0_op0, m0_op1, m0_op2).To(m0_op3)
m0.IntroducedIn("V1_0")
Example({m0_op0: [1.0, 2.5], m0_op1: [3.0, -0.25], m0_op3: [4.0, 2.25]}, model=m0, name="add_float").DisableLifeTimeVariation()
